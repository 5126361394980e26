import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readNamesOfEnvFiles } from '../../node/env.ts'
import { filesBelow } from '../../node/static/manifest.ts'
import { frameworkError } from '../../shared/errors.ts'
import { escapeHtml } from '../../shared/html.ts'

export type SearchedFolder = {
  readonly folder: string
  /**
   * True if the folder contains pages. A page may show server values that aren't secret, such as a
   * site name from the environment.
   */
  readonly holdsPages: boolean
}

// Matches the files to search. Source maps are never served, so they aren't searched.
const searched = /\.(?:m?js|css|html|rsc|body|json|txt|svg|webmanifest)$/

/**
 * Checks that a build's files for browsers contain no values that only the server may know.
 *
 * @throws `SECRET_IN_CLIENT`
 */
export async function assertNoLeaks(
  folders: readonly SearchedFolder[],
  values: readonly ServerValue[],
): Promise<void> {
  if (values.length === 0) return
  for (const { folder, holdsPages } of folders) {
    const forbidden = values.filter(({ isSecret }) => isSecret || !holdsPages)
    for (const file of await filesBelow(folder)) {
      if (!searched.test(file)) continue
      const leak = findValue(await readFile(path.join(folder, file), 'utf8'), forbidden)
      if (leak) throw frameworkError('SECRET_IN_CLIENT', { name: leak.name, file })
    }
  }
}

export function findValue(text: string, values: readonly ServerValue[]): ServerValue | null {
  return values.find(({ value }) => formsOf(value).some((form) => text.includes(form))) ?? null
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const inScript = json.replaceAll('<', '\\u003c')
  return [...new Set([value, json, inScript, escapeHtml(value), encodeURIComponent(value)])]
}

/** A value from the server's environment that browsers must not get. */
export type ServerValue = {
  readonly name: string
  readonly value: string
  readonly isSecret: boolean
}

export type ServerValuesOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly envDir: string | null
  readonly mode: string
  /** Prefixes of public variables' names. */
  readonly publicPrefixes: readonly string[]
  /** Names of other variables whose values are public. */
  readonly publicNames: readonly string[]
}

// Minimum length of the values to look for. Shorter ones, such as `true`, `3000` or `en_GB`, appear
// in every bundle by chance.
const minLength = 8

const secretName =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PRIVATE|API_?KEY|ACCESS_?KEY|_KEY|_DSN|DATABASE_URL|CONNECTION_STRING)\d*(?:_|$)/i

/**
 * True if the name of an environment variable suggests a secret value, such as `API_KEY`,
 * `stripeKey` or `DATABASE_URL`. A build fails if such a value is in a file for browsers.
 */
export function isSecretName(name: string): boolean {
  // Separate the words: `stripeKey` becomes `stripe_Key`, and `authTOKENText` becomes
  // `auth_TOKEN_Text`.
  return secretName.test(name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_'))
}

/**
 * Lists the values of the server's environment that the build's output for browsers must not
 * contain. These are all values from `.env` files, and the values of variables with a secret name.
 * Values of other variables, such as `PATH` and `LANG`, may appear in files by chance.
 */
export function listServerValues(options: ServerValuesOptions): ServerValue[] {
  const { env, envDir, mode, publicPrefixes, publicNames } = options
  const isPublic = (name: string) =>
    publicNames.includes(name) || publicPrefixes.some((prefix) => name.startsWith(prefix))
  const all = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined)
  const publicValues = all.filter(([name]) => isPublic(name)).map(([, value]) => value)
  const isPublicValue = (value: string) => publicValues.some((each) => each.includes(value))
  const fromFiles = new Set(envDir === null ? [] : readNamesOfEnvFiles(envDir, mode))
  return all
    .map(([name, value]) => ({ name, value: value.trim(), isSecret: isSecretName(name) }))
    .filter(({ name, isSecret }) => (isSecret || fromFiles.has(name)) && name !== 'NODE_ENV')
    .filter(
      ({ name, value }) => !isPublic(name) && !isPublicValue(value) && value.length >= minLength,
    )
}
