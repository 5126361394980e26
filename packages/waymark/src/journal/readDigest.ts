import { isDigest } from '../shared/digest.ts'

// A word of eleven letters is rather the name of a folder.
const hasForm = /\d|-/

/**
 * Reads a digest that somebody typed or was told: in any case, its dashes left out or in other
 * places, and with the letters that look like digits.
 * @returns `null` when it can be none
 * @see https://www.crockford.com/base32.html
 */
export function readDigest(text: string): string | null {
  if (!hasForm.test(text)) return null
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  const digest = `${plain.slice(0, 4)}-${plain.slice(4, 8)}-${plain.slice(8)}`
  return isDigest(digest) ? digest : null
}
