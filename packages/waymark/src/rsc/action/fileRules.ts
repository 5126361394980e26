import { english, sizeText } from '../../screens/screenTexts.ts'
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
  /** Returns the message for a file that isn't accepted. Default: an English sentence. */
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

/** Checks the values of a field that has a rule. Strings and absent files are ignored. */
export async function checkFiles(
  values: readonly unknown[],
  rule: FileRule,
): Promise<CheckedFiles> {
  const { maxBytes, maxFiles = 1, types, message = englishMessage } = rule
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

function englishMessage({ kind, name, rule }: FileProblem): string {
  switch (kind) {
    case 'tooMany':
      return rule.maxFiles === undefined
        ? 'Choose only one file.'
        : `Choose at most ${rule.maxFiles} files.`
    case 'tooLarge':
      return `${name} is larger than ${sizeText(rule.maxBytes, english)}.`
    case 'empty':
      return `${name} is empty.`
    case 'type':
      return `${name} has the wrong type. Choose ${listTypes(rule.types ?? [])}.`
  }
}

function listTypes(types: readonly FileType[]): string {
  const names = types.map((type) => typeNames[type])
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
}

const typeNames: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'a JPEG',
  'image/png': 'a PNG',
  'image/gif': 'a GIF',
  'image/webp': 'a WebP',
  'image/avif': 'an AVIF',
  'image/heic': 'a HEIC',
  'application/pdf': 'a PDF',
  'application/zip': 'a ZIP',
  'audio/mpeg': 'an MP3',
  'audio/wav': 'a WAV',
  'audio/ogg': 'an OGG',
  'audio/mp4': 'an M4A',
  'video/mp4': 'an MP4',
  'video/quicktime': 'a MOV',
  'video/webm': 'a WebM',
}
