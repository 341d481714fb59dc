/** Has no effect under `NO_COLOR`. */
export function setColorEnabled(value: boolean): void;
export function getColorEnabled(): boolean;
export function bold(str: string): string;
export function dim(str: string): string;
export function red(str: string): string;
export function green(str: string): string;
export function yellow(str: string): string;
export function cyan(str: string): string;
export function stripAnsiCode(string: string): string;
