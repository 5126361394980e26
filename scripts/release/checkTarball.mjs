import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/**
 * Lists the problems that publint finds in a tarball.
 * @param {string} tarball its path
 * @returns {Promise<string[]>}
 */
export async function publishProblems(tarball) {
  const bytes = readFileSync(tarball)
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg = {} } = await publint({ pack: { tarball: content }, strict: true })
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code)
}

/**
 * Lists the entries of a tarball for which TypeScript finds no types, or wrong types, when an ES
 * module imports the entry.
 * @param {string} tarball path of the tarball
 */
export async function typeProblems(tarball) {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  const resolutions = /** @type {const} */ (['node16-esm', 'bundler'])
  return resolutions.flatMap((resolutionKind) =>
    analysis.types ? filterProblems(analysis, { resolutionKind }) : [],
  )
}
