import { documentReaders } from './documentReaders.ts'
import { isTestFile } from './importRules.ts'
import { coreRoot } from './layers.ts'
import type { Source } from './source.ts'

/** Folders with code that runs in an app's document. */
const folders = ['client/', 'components/', 'react/', 'script/', 'shared/', 'theme/', 'wire/']

const reader =
  /\b(?:querySelector(?:All)?|closest|getElement\w+|evaluate|create(?:TreeWalker|NodeIterator)|innerHTML\.\w+)(?:<\w+>)?\(/g

/**
 * Finds calls that read elements from the document and that are not in the list of
 * documentReaders.ts.
 * @param listed known calls, with the reason why content can't forge the element
 */
export function documentViolations(
  sources: readonly Source[],
  listed: typeof documentReaders = documentReaders,
): string[] {
  const listedCalls = new Set<string>()
  for (const files of Object.values(listed)) {
    for (const [file, calls] of Object.entries(files)) {
      for (const call of Object.keys(calls)) listedCalls.add(`${coreRoot}${file} ${call}`)
    }
  }
  const unused = new Set(listedCalls)
  const open = sources.filter(isInDocument).flatMap(({ path, text }) =>
    callsOf(text).flatMap((call) => {
      unused.delete(`${path} ${call}`)
      if (listedCalls.has(`${path} ${call}`)) return []
      return [
        `${path}: ${call} reads the document. List it in documentReaders.ts with the reason why content can't forge the element.`,
      ]
    }),
  )
  return [
    ...open,
    ...Array.from(unused, (entry) => `${entry} reads nothing any more. Remove it from the list.`),
  ]
}

function isInDocument({ path }: Source): boolean {
  if (!path.startsWith(coreRoot) || isTestFile(path)) return false
  const file = path.slice(coreRoot.length)
  return folders.some((folder) => file.startsWith(folder))
}

/** Returns the calls that read from the document, exactly as written, with their arguments. */
function callsOf(text: string): string[] {
  return [...text.matchAll(reader)].map(({ 0: start, index }) => {
    let end = index + start.length
    for (let depth = 1; depth > 0 && end < text.length; end++) {
      if (text[end] === '(') depth++
      if (text[end] === ')') depth--
    }
    return text.slice(index, end).replaceAll(/\s+/g, ' ')
  })
}
