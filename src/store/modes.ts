/** The permissions of what is kept: the owner's alone. */

/** Of files. */
export const PRIVATE_FILE_MODE = 0o600;

/** Of folders. */
export const PRIVATE_FOLDER_MODE = 0o700;
