/** Mark that replaces a value that isn't stored. */
export const removedMark = 'removed'

// Words that make a name secret anywhere in it: `accessToken`, `user[password]`.
const partsOfNames =
  /token|passw|passphrase|secret|session|credential|signature|jwt|csrf|xsrf|oauth|email|apikey|password|cardnumber|creditcard|phonenumber|pincode/
// Words that make a name secret as separate words, also in the plural: `api_key`, `apiKeys`, but not
// `monkey`.
const wordsOfNames = new Set([
  'pass',
  'pwd',
  'key',
  'code',
  'sid',
  'auth',
  'authorization',
  'otp',
  'pin',
  'sig',
  'mail',
  'phone',
  'tel',
  'card',
  'cvc',
  'cvv',
  'iban',
  'ssn',
  'nonce',
  'cookie',
  'login',
])

// Split names in several ways, because capitals are ambiguous: the last capital of `PINName` begins a
// word, but the last capital of `PINname` ends a word.
const wordBorders = [
  /(?<=[a-z])(?=[A-Z])/,
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/,
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[a-z])/,
]

/** @param name a name in a query, form or object: `api_key`, `apiKey`, `PINCode`, `user[password]` */
export function isSecretName(name: string): boolean {
  const plain = decoded(name)?.normalize('NFKC')
  if (plain === undefined) return true
  if (partsOfNames.test(plain.replace(/[^A-Za-z]/g, '').toLowerCase())) return true
  const parts = plain.split(/[^A-Za-z]+/)
  const words = wordBorders.flatMap((border) => parts.flatMap((part) => part.split(border)))
  return words.some((word) => isSecretWord(word.toLowerCase()))
}

function isSecretWord(word: string): boolean {
  return wordsOfNames.has(word) || wordsOfNames.has(word.replace(/s$/, ''))
}

// Maximum length of values to examine. Longer values are too long to be stored.
const maxLooked = 20_000

/** True if a value may be a credential, an email address or a card number, or contains a secret name. */
export function looksSecret(value: string): boolean {
  if (value.length > maxLooked) return true
  const once = decoded(value)
  const text = once === undefined ? undefined : decoded(once)
  if (text === undefined) return true
  return (
    /[^\s@]@[^\s@]/.test(text) ||
    /\bey[\w-]{4,}\.[\w-]{4,}\./.test(text) ||
    /\b(?:sk|pk|rk|gh[a-z]|xox[a-z]|AKIA)[_-]?(?:live|test|[a-z])?[_-]\w{6,}/.test(text) ||
    /\b(?:bearer|basic)\s+\S/i.test(text) ||
    namesIn(text).some(isSecretName) ||
    (text.match(/\d(?:[ -]?\d){11,18}/g) ?? []).some(isCardNumber) ||
    (text.match(/[\w+/=.~-]{16,}/g) ?? []).some(isRandom)
  )
}

/**
 * True if a path segment may be a token of any length. Words, and words with a short number, aren't tokens:
 * `first-steps`, `chapter-12`, `2026-11-29`. Segments with other digits, mixed case or hex count as
 * tokens.
 */
export function looksLikeToken(segment: string): boolean {
  const text = decoded(segment)
  if (text === undefined) return true
  return text.split(/[-_.~ @()[\]:]+/).some((part) => !isWord(part))
}

function isWord(part: string): boolean {
  if (/^\d*$/.test(part)) return part.length <= 3 || /^(?:19|20)\d\d$/.test(part)
  const letters = /^(\p{L}+)\d{0,2}$/u.exec(part)?.[1]
  if (letters === undefined || letters.length > 24) return false
  if (/^[a-f]{8,}$/i.test(letters) || /[b-df-hj-np-tv-xz]{5}/i.test(letters)) return false
  // Allows `Apple` and `apple`, but words in capitals only if they are short, such as `EN`.
  return /^.?[\p{Ll}\p{Lo}\p{Lm}]*$/u.test(letters) || letters.length <= 3
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/([\w-]{2,40})\]?["']?\s?[:=]/g)].map(([, name = '']) => name)
}

// Checks a number with the Luhn formula from ISO/IEC 7812-1, annex B.
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  const sum = [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return digits.length >= 13 && sum % 10 === 0
}

/**
 * True if a string looks random. Words and dates rarely change between letters, cases and digits, but
 * random strings do so often, in the whole string or in a part of 16 characters.
 */
function isRandom(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/.test(text)) return false
  if (/[a-z]{26}|[A-Z]{26}|\d{20}/.test(text)) return true
  const plain = text.replace(/[^A-Za-z\d]/g, '')
  if (plain.length < 16) return false
  const changes = [...plain.matchAll(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)]
  const isDense = changes.some(({ index }, at) => (changes[at + 5]?.index ?? Infinity) < index + 16)
  return isDense || changes.length >= plain.length / 6
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // Return `undefined` for a string with an invalid escape, whose content can't be judged.
    return undefined
  }
}

/**
 * Copies plain data without values that may be secret.
 * @param place name of the value's place, for `removed`
 * @param removed receives the places of removed values
 * @throws an `Error` for values that JSON can't represent, and for data that is nested too deeply
 */
export function withoutSecrets(value: unknown, place: string, removed: string[]): unknown {
  return copy(value, place, 0)

  function copy(value: unknown, place: string, depth: number): unknown {
    if (depth > maxDepth) throw new Error(`${place} is nested too deeply.`)
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
      return typeof value === 'number' && looksSecret(String(value)) ? remove(place) : value
    }
    if (typeof value === 'string') return looksSecret(value) ? remove(place) : value
    if (Array.isArray(value)) {
      return Array.from(value, (item, at) => copy(item, `${place}.${at}`, depth + 1))
    }
    if (!isPlain(value)) throw new Error(`${place} is not plain data.`)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
        const inside = placeIn(place, name)
        if (looksSecret(name)) {
          remove(inside)
          return []
        }
        return [[name, isSecretName(name) ? remove(inside) : copy(item, inside, depth + 1)]]
      }),
    )
  }

  function remove(place: string): string {
    removed.push(place.slice(0, 100))
    return removedMark
  }
}

const maxDepth = 50

/** Returns the name of a member's place, without the member's own name if that may be a secret. */
export function placeIn(place: string, name: string): string {
  return looksSecret(name) ? `a name in ${place}` : `${place}.${name.slice(0, 50)}`
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
