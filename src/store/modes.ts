/** The permissions of what is kept: the owner's alone. */

export const PRIVATE_FILE_MODE = 0o600;

export const PRIVATE_FOLDER_MODE = 0o700;
