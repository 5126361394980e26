import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { normalizePath } from 'vite'
import { frameworkError } from '../../shared/errors.ts'
import type { ServerValue } from './serverValues.ts'

/** A folder of what a build has written for browsers. */
export type SearchedFolder = {
  /** Absolute. */
  readonly folder: string
  /** Pages may show what no script needs: a site's name, from the environment. */
  readonly holdsPages: boolean
}

// Hidden maps are moved away, and never served.
const searched = /\.(?:m?js|css|html|rsc|body|json|txt|svg|webmanifest)$/

/**
 * Makes sure that a build's output for browsers holds no value of the server's environment.
 * @throws `SECRET_IN_CLIENT`
 */
export async function assertNoLeaks(
  folders: readonly SearchedFolder[],
  values: readonly ServerValue[],
): Promise<void> {
  if (values.length === 0) return
  for (const { folder, holdsPages } of folders) {
    const forbidden = values.filter(({ isSecret }) => isSecret || !holdsPages)
    for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
      if (!searched.test(file)) continue
      const found = findValue(await readFile(path.join(folder, file), 'utf8'), forbidden)
      if (found) {
        const { name } = found
        throw frameworkError('SECRET_IN_CLIENT', { name, file: normalizePath(file) })
      }
    }
  }
}

/** Finds a value in a text, as it is or as JSON, HTML or a URL writes it. */
export function findValue(text: string, values: readonly ServerValue[]): ServerValue | null {
  return values.find(({ value }) => formsOf(value).some((form) => text.includes(form))) ?? null
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
  return [
    ...new Set([value, json, json.replaceAll('<', '\\u003c'), html, encodeURIComponent(value)]),
  ]
}
