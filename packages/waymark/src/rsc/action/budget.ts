/** Items of one array, after React has decoded it. */
export const maxArrayItems = 10_000

/** Parts of a multipart body: React sends one for each file, stream and large value. */
export const maxParts = 1_000

const maxDepth = 100
const maxItems = 100_000
const maxDigits = 400

// References that make React look through all parts of a body, times the parts.
const maxSearches = 100_000

/**
 * Tells whether a structure, as React's client writes it in JSON, may be decoded: it is looked
 * through once, without being built. What stands in texts is the app's own and counts by its
 * bytes only.
 * @param parts how many the body has that the structure came in
 */
export function isWithinDecodeLimits(json: string, parts = 1): boolean {
  let depth = 0
  let items = 0
  let digits = 0
  let searches = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      if (++digits > maxDigits) return false
      continue
    }
    digits = 0
    switch (code) {
      case 0x22: // "
        if (json.startsWith('$K', at + 1) && ++searches * parts > maxSearches) return false
        at = endOfText(json, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return false
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (++items > maxItems) return false
        break
    }
  }
  return true
}

/** @returns where the closing quote of a JSON text stands, or the end of what is cut */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
