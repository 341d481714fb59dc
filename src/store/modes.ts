/** Only the owner may use trimtab's files and folders. */

export const PRIVATE_FILE_MODE = 0o600;

export const PRIVATE_FOLDER_MODE = 0o700;
