import type { Language } from '../app/_ui/language.ts'

/** The part of a file that MDX plugins get (vfile). */
export type MdxFile = { readonly path?: string }

/** Returns the language of a page from the path of its file. */
export function languageOfFile({ path = '' }: MdxFile): Language {
  return path.replaceAll('\\', '/').includes('/app/de/') ? 'de' : 'en'
}

/** Returns the file of the English page, if the page is German. */
export function englishFileOf(file: MdxFile): string | null {
  return languageOfFile(file) === 'de' && file.path
    ? file.path.replace(/([\\/]app)[\\/]de(?=[\\/])/, '$1')
    : null
}
