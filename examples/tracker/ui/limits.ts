export const maxBytes = 20_000_000

/** Media types, and the endings under which they are stored. */
export const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
}

/** What is wrong with a file, for people; null when nothing is. */
export function problemOf({ size, type }: { size: number; type: string }): string | null {
  // `constructor` is a property of each object, and `NaN` above no limit.
  if (!Object.hasOwn(endings, type)) return 'Choose a JPEG, a PNG or a PDF.'
  if (!(size > 0)) return 'This file is empty.'
  return size > maxBytes ? `This file is larger than ${maxBytes / 1_000_000} MB.` : null
}
