import { de } from './de.ts'
import { type Dictionary, en } from './en.ts'

type Name = 'notFound' | 'unauthorized' | 'forbidden'

/** Returns the texts of a screen in all languages. */
export function screenTexts(name: Name) {
  const textsOf = ({ screens, account }: Dictionary) => ({
    ...screens[name],
    link: name === 'unauthorized' ? account.signIn : screens.home,
  })
  return { en: textsOf(en), de: textsOf(de) }
}
