import { describe, expect, test } from 'vitest'
import { callbackViolations } from './architecture/callbackRules.ts'
import {
  commentViolations,
  foreignNameViolations,
  longFileViolations,
  longFunctionViolations,
} from './architecture/codeRules.ts'
import {
  clientBorderViolations,
  cycleViolations,
  entryViolations,
  layerViolations,
  publicApiViolations,
} from './architecture/importRules.ts'
import {
  readSources,
  readText,
  readTextIfThere,
  repositoryPaths,
} from './architecture/repository.ts'
import {
  architecturePageViolations,
  decisionViolations,
  installScriptViolations,
} from './architecture/repositoryRules.ts'

// Each rule is tested on samples that break it, beside its source; here they meet the repository.
const paths = repositoryPaths()
const sources = readSources(paths)
const manifests = paths
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .map((path) => JSON.parse(readText(path)))

describe('the repository', () => {
  test('imports along its layers', () => expect(layerViolations(sources)).toEqual([]))

  test("crosses from rsc to client in files with 'use client' only", () =>
    expect(clientBorderViolations(sources)).toEqual([]))

  test('has no files that import each other in a circle', () =>
    expect(cycleViolations(sources)).toEqual([]))

  test('has public entries that only re-export, and that nobody inside imports', () =>
    expect(entryViolations(sources)).toEqual([]))

  test('uses its packages through their public entries', () => {
    const waymark = manifests.find(({ name }) => name === 'waymark')
    const specifiers = Object.keys(waymark.exports)
      .filter((entry) => !entry.startsWith('./internal/'))
      .map((entry) => entry.replace('.', 'waymark'))
    expect(publicApiViolations(sources, specifiers)).toEqual([])
  })

  test('has no long file', () => expect(longFileViolations(sources)).toEqual([]))

  test('has no long function', () => expect(longFunctionViolations(sources)).toEqual([]))

  test('names no other framework in its core', () =>
    expect(foreignNameViolations(sources)).toEqual([]))

  test('gives React and Node no callback that may throw', () =>
    expect(callbackViolations(sources)).toEqual([]))

  test('puts no work off in comments', () => expect(commentViolations(sources)).toEqual([]))

  test('has a short architecture page that names every folder', () =>
    expect(architecturePageViolations(readTextIfThere('ARCHITECTURE.md'), paths)).toEqual([]))

  test('gives a reason for every dependency of its packages', () => {
    const pages = paths.filter((path) => path.startsWith('docs/decisions/')).map(readText)
    expect(decisionViolations(manifests, pages)).toEqual([])
  })

  test('installs no package that runs a script', () => {
    const { packages } = JSON.parse(readText('package-lock.json'))
    expect(installScriptViolations(packages)).toEqual([])
  })
})
