/** A table of texts, and of groups of texts, by name. */
export type Texts = { readonly [name: string]: string | Texts }

/** Problems of a translation, as paths of its texts, such as `notices.slow`. */
export type TranslationProblems = {
  /** Texts that the translation lacks, or that are empty. */
  readonly missing: readonly string[]
  /** Texts that don't exist in English. */
  readonly unknown: readonly string[]
  /** Texts that are the same as in English. */
  readonly untranslated: readonly string[]
  /** Texts whose placeholders differ from those in English. */
  readonly placeholders: readonly string[]
}

/**
 * Compares a translation with the English texts.
 * @param isSame returns true for an English text that may be the same in other languages
 */
export function compareTexts(
  english: Texts,
  translation: Texts,
  isSame: (text: string) => boolean,
): TranslationProblems {
  const expected = flatten(english)
  const actual = flatten(translation)
  const both = [...expected.keys()].filter((path) => actual.get(path))
  const differ = (path: string, read: (text: string) => string) =>
    read(expected.get(path) ?? '') !== read(actual.get(path) ?? '')
  return {
    missing: [...expected.keys()].filter((path) => !actual.get(path)),
    unknown: [...actual.keys()].filter((path) => !expected.has(path)),
    untranslated: both.filter(
      (path) => !isSame(expected.get(path) ?? '') && !differ(path, (text) => text),
    ),
    placeholders: both.filter((path) => differ(path, placeholdersOf)),
  }
}

/** Returns the texts of a table by their paths. */
function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`
    return typeof value === 'string' ? [[path, value]] : [...flatten(value, `${path}.`)]
  })
  return new Map(entries)
}

function placeholdersOf(text: string): string {
  return (text.match(/\{\w+\}/g) ?? []).sort().join()
}
