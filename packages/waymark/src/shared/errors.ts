/**
 * The error table: mistakes that an app's author can make, with what to do about each.
 * A message says what happened, with the values in it, then the fix.
 */
const errorTable = {
  ROUTE_CONFLICT: (v: { url: string; files: readonly string[] }) =>
    `Two files answer ${v.url}: ${v.files.join(' and ')}. Move or delete one.`,
  PAGE_BESIDE_ROUTE: (v: { files: readonly string[] }) =>
    `A page and a route handler stand in one folder: ${v.files.join(' and ')}. Move or delete one.`,
  DUPLICATE_FILE: (v: { role: string; files: readonly string[] }) =>
    `More than one ${v.role} file stands in one folder: ${v.files.join(' and ')}. Keep one.`,
  SLOT_WITHOUT_DEFAULT: (v: { slot: string; folder: string; url: string }) =>
    `The slot ${v.slot} has no page for ${v.url}. Add ${v.folder}/default.tsx: what it shows there.`,
  NO_ROOT_LAYOUT: (v: { file: string }) =>
    `${v.file} has no root layout above it. Add app/layout.tsx, which renders <html> and <body>.`,
  PARAM_NAME_CONFLICT: (v: { names: readonly string[]; files: readonly string[] }) =>
    `One dynamic segment has two names, ${v.names.join(' and ')}: ${v.files.join(' and ')}. Use the same name in both.`,
  ROUTE_IN_SLOT: (v: { file: string }) =>
    `The route handler ${v.file} can't answer: it stands in a slot or an intercepting folder. Move it to a folder of the main line.`,
  PARAM_VALUE: (v: { pattern: string; param: string; value: string; reason: string }) =>
    `The param ${v.param} of ${v.pattern} can't be ${v.value}: ${v.reason}.`,
  SEGMENT_NAME: (v: { folder: string; reason: string }) =>
    `The folder name ${v.folder} can't be a segment: ${v.reason}.`,
  THEME_OPTION: (v: { option: string; value: string; rule: string }) =>
    `The theme option ${v.option} can't be ${v.value}: ${v.rule}.`,
  PORT_TAKEN: (v: { port: number }) =>
    `Port ${v.port} is taken by another program. Stop that one, or choose another port: --port ${v.port + 1}, or PORT=${v.port + 1}.`,
} as const

/** A code of the error table. */
export type ErrorCode = keyof typeof errorTable

type ErrorValues<C extends ErrorCode> = Parameters<(typeof errorTable)[C]>[0]

/** A mistake of the app's author, found by the framework. */
export class FrameworkError extends Error {
  override readonly name = 'FrameworkError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(`${message} (${code})`)
    this.code = code
  }
}

/**
 * Makes the error for a mistake of the app's author, to be thrown.
 * @param values what the message names: files, folders, URLs
 */
export function frameworkError<C extends ErrorCode>(
  code: C,
  values: ErrorValues<C>,
): FrameworkError {
  const write = errorTable[code] as (values: ErrorValues<C>) => string
  return new FrameworkError(code, write(values))
}
