import { englishFiles } from '../../screens/englishFiles.ts'
import { english, fillText, type ScreenLocale, sizeText } from '../../screens/screenTexts.ts'
import { checkOption } from '../../shared/errors.ts'
import { allFileTypes, detectFileType, type FileType, safeFileName } from './fileTypes.ts'

/** Details for the message about a file that isn't accepted. */
export type FileProblem = {
  readonly kind: 'type' | 'tooLarge' | 'tooMany' | 'empty'
  /** Name of the file, without a path and control characters. Empty for `tooMany`. */
  readonly name: string
  readonly rule: FileRule
}

/** Rule for the files in one field of a form. */
export type FileRule = {
  /** Maximum bytes of each file. */
  readonly maxBytes: number
  /** Media types that the content of a file may have. Default: any content. */
  readonly types?: readonly FileType[]
  /**
   * Maximum number of files in the field. The field's value is then an array, which may be empty. Without this
   * option, the value is one file, or absent.
   */
  readonly maxFiles?: number
  /** Returns the message for a file that isn't accepted. Default: a text from `files` in `screens.ts`. */
  readonly message?: (problem: FileProblem) => string
}

/** Rules for files, keyed by the name of the field. */
export type FileRules = Readonly<Record<string, FileRule>>

/** @throws `OPTION_VALUE` */
export function checkFileRules(rules: FileRules): void {
  for (const [field, { maxBytes, maxFiles = 1, types = [] }] of Object.entries(rules)) {
    const isCount = (value: number) => Number.isSafeInteger(value) && value > 0
    const option = `files.${field}`
    checkOption(isCount(maxBytes), `${option}.maxBytes`, maxBytes, 'it must be a positive integer')
    checkOption(isCount(maxFiles), `${option}.maxFiles`, maxFiles, 'it must be a positive integer')
    for (const type of types) {
      const rule = `each entry must be one of ${allFileTypes.join(', ')}`
      checkOption(allFileTypes.includes(type), `${option}.types`, type, rule)
    }
  }
}

/** Returns the bytes that all files together may have. */
export function maxBytesOfFiles(rules: FileRules): number {
  let bytes = 0
  for (const { maxBytes, maxFiles = 1 } of Object.values(rules)) bytes += maxBytes * maxFiles
  return bytes
}

export type CheckedFiles = {
  /** The accepted files of a field, with their true type and a safe name. */
  readonly accepted: readonly File[]
  /** Messages for the form. */
  readonly errors: readonly string[]
}

/**
 * Checks the values of a field that has a rule. Strings and absent files are ignored.
 * @param localeOf returns the language of the messages
 */
export async function checkFiles(
  values: readonly unknown[],
  rule: FileRule,
  localeOf: () => ScreenLocale = () => english,
): Promise<CheckedFiles> {
  const { maxBytes, maxFiles = 1, types } = rule
  const message = rule.message ?? ((problem) => messageIn(localeOf(), problem))
  const files = values.filter((value) => value instanceof Blob).filter((file) => !isNoFile(file))
  if (files.length > maxFiles) {
    return { accepted: [], errors: [message({ kind: 'tooMany', name: '', rule })] }
  }
  const accepted: File[] = []
  const errors: string[] = []
  for (const file of files) {
    const type = await detectFileType(file)
    const sentName = file instanceof File ? file.name : ''
    const refuse = (kind: FileProblem['kind']) =>
      errors.push(message({ kind, name: safeFileName(sentName, null), rule }))
    if (file.size > maxBytes) refuse('tooLarge')
    else if (file.size === 0) refuse('empty')
    else if (types && (type === null || !types.includes(type))) refuse('type')
    else accepted.push(safeFile(file, sentName, type))
  }
  return { accepted, errors }
}

/** True for the empty file that browsers send if no file is selected. HTML §4.10.21.4 */
export function isNoFile(value: unknown): boolean {
  return (
    value instanceof Blob && value.size === 0 && (!(value instanceof File) || value.name === '')
  )
}

// A file of unknown content gets the type of plain bytes, because the type that the client sent may be a lie.
function safeFile(file: Blob, sentName: string, type: FileType | null): File {
  const lastModified = file instanceof File ? file.lastModified : Date.now()
  const name = safeFileName(sentName, type)
  return new File([file], name, { type: type ?? 'application/octet-stream', lastModified })
}

function messageIn({ texts, ...locale }: ScreenLocale, { kind, name, rule }: FileProblem): string {
  const files = { ...englishFiles, ...texts.files }
  const { maxFiles = 1, maxBytes, types = [] } = rule
  switch (kind) {
    case 'tooMany':
      if (maxFiles === 1) return files.onlyOne
      return fillText(files.tooMany, { count: String(maxFiles) })
    case 'tooLarge':
      return fillText(files.tooLarge, { name, limit: sizeText(maxBytes, { ...locale, texts }) })
    case 'empty':
      return fillText(files.empty, { name })
    case 'type':
      return fillText(files.type, { name, types: listTypes(types, locale.lang) })
  }
}

function listTypes(types: readonly FileType[], lang: string): string {
  return new Intl.ListFormat(lang).format(types.map((type) => typeNames[type]))
}

const typeNames: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'audio/mpeg': 'MP3',
  'audio/wav': 'WAV',
  'audio/ogg': 'OGG',
  'audio/mp4': 'M4A',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
}
