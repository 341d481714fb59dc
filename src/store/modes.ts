/** Permissions of own files and folders: for the owner alone. */

export const PRIVATE_FILE_MODE = 0o600;

export const PRIVATE_FOLDER_MODE = 0o700;
