/** Extensions that the file dialog offers. The backend decides, by the bytes. */
export const ACCEPTED_FILES = '.jpg,.jpeg,.png,.gif,.webp,.pdf,.doc,.docx,.txt';
