/** Turns colours on or off; `NO_COLOR` keeps them off. */
export function setColorEnabled(value: boolean): void;
/** Whether colours are on. */
export function getColorEnabled(): boolean;
/** Bold text. */
export function bold(str: string): string;
/** Faint text. */
export function dim(str: string): string;
/** Red text. */
export function red(str: string): string;
/** Green text. */
export function green(str: string): string;
/** Yellow text. */
export function yellow(str: string): string;
/** Cyan text. */
export function cyan(str: string): string;
/** The text without any terminal escape. */
export function stripAnsiCode(string: string): string;
