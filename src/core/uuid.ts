export const UUID_PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

export function isUuid(text: string): boolean {
  return new RegExp(`^${UUID_PATTERN}$`, "i").test(text);
}
