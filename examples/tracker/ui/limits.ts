export const maxBytes = 20_000_000

/** Allowed media types, with the file extension for each. */
export const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
}

/** Returns a message about a file that can't be uploaded; null if it can. */
export function problemOf({ size, type }: { size: number; type: string }): string | null {
  // Use `Object.hasOwn`, because every object has a `constructor`, and `size > 0`, because `NaN` is
  // never above a limit.
  if (!Object.hasOwn(endings, type)) return 'Choose a JPEG, a PNG or a PDF.'
  if (!(size > 0)) return 'This file is empty.'
  return size > maxBytes ? `This file is larger than ${maxBytes / 1_000_000} MB.` : null
}
