/** Permissions of trimtab's files and folders, which only the owner may use. */

export const PRIVATE_FILE_MODE = 0o600;

export const PRIVATE_FOLDER_MODE = 0o700;
