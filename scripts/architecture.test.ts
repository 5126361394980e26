import { describe, expect, test } from 'vitest'
import { callbackViolations } from './architecture/callbackRules.ts'
import {
  commentViolations,
  foreignNameViolations,
  httpImportViolations,
  mockViolations,
  packageNameViolations,
} from './architecture/codeRules.ts'
import { documentViolations } from './architecture/documentRules.ts'
import { innerLayerViolations, mutualFolderViolations } from './architecture/folderRules.ts'
import { gripTableViolations, gripViolations } from './architecture/gripRules.ts'
import { hostViolations } from './architecture/hostRules.ts'
import {
  clientBorderViolations,
  cycleViolations,
  entryViolations,
  layerViolations,
  publicApiViolations,
} from './architecture/importRules.ts'
import { messageViolations } from './architecture/messageRules.ts'
import {
  baseNameViolations,
  exportedNameViolations,
  retiredWordViolations,
} from './architecture/nameRules.ts'
import {
  packageImportViolations,
  packageRowViolations,
  publicEntryViolations,
  versionViolations,
} from './architecture/packageRules.ts'
import {
  readSources,
  readText,
  readTextIfThere,
  repositoryPaths,
} from './architecture/repository.ts'
import {
  architecturePages,
  architecturePageViolations,
  decisionPathViolations,
  decisionViolations,
  installScriptViolations,
  versionClaimViolations,
} from './architecture/repositoryRules.ts'
import { waitViolations } from './architecture/waitRules.ts'

// This file applies the rules to the repository. The test next to each rule checks the rule with
// samples that break it.
const paths = repositoryPaths()
const sources = readSources(paths)
const manifests = paths
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .map((path) => JSON.parse(readText(path)))

describe('the repository', () => {
  test('follows the layers in its imports', () => expect(layerViolations(sources)).toEqual([]))

  test('follows the layers inside its folders', () =>
    expect(innerLayerViolations(sources)).toEqual([]))

  test('has few folders that import each other', () => expect(mutualFolderViolations()).toEqual([]))

  test("imports client files from rsc only if they have 'use client'", () =>
    expect(clientBorderViolations(sources)).toEqual([]))

  test('has no circular imports', () => expect(cycleViolations(sources)).toEqual([]))

  test('has public entries that only re-export and that no file inside imports', () =>
    expect(entryViolations(sources)).toEqual([]))

  test('imports its packages through their public entries', () => {
    const waymark = manifests.find(({ name }) => name === 'waymark')
    const specifiers = Object.keys(waymark.exports)
      .filter((entry) => !entry.startsWith('./internal'))
      .map((entry) => entry.replace('.', 'waymark'))
    expect(publicApiViolations(sources, specifiers)).toEqual([])
  })

  test('depends on the internals of React and Vite in two folders only, and lists the reasons', () => {
    expect(gripViolations(sources)).toEqual([])
    const table = readText('packages/waymark/src/react/README.md')
    expect(gripTableViolations(sources, table)).toEqual([])
  })

  test('has packages that follow their rows in packages.ts', () => {
    expect(packageRowViolations(sources)).toEqual([])
    expect(packageImportViolations(sources)).toEqual([])
  })

  test('has the public entries of the list', () =>
    expect(publicEntryViolations(sources)).toEqual([]))

  test('has the same version for all packages', () =>
    expect(versionViolations(manifests)).toEqual([]))

  test('uses each base name once in a package', () =>
    expect(baseNameViolations(sources)).toEqual([]))

  test('exports each name of the core once', () =>
    expect(exportedNameViolations(sources)).toEqual([]))

  test('exports names with the words of the field', () =>
    expect(retiredWordViolations(sources)).toEqual([]))

  test('names no other framework in the core', () =>
    expect(foreignNameViolations(sources)).toEqual([]))

  test('names its packages in one table of the core', () =>
    expect(packageNameViolations(sources)).toEqual([]))

  test('starts servers without loading fetch', () =>
    expect(httpImportViolations(sources)).toEqual([]))

  test('passes React and Node no callback that may throw', () =>
    expect(callbackViolations(sources)).toEqual([]))

  test('has a deadline for each wait within a request', () =>
    expect(waitViolations(sources)).toEqual([]))

  test('reads nothing from a document that content could forge', () =>
    expect(documentViolations(sources)).toEqual([]))

  test('lists each file that reads the host of a request', () =>
    expect(hostViolations(sources)).toEqual([]))

  test("lists each file that searches another program's messages", () =>
    expect(messageViolations(sources)).toEqual([]))

  test('mocks none of its files in tests', () => expect(mockViolations(sources)).toEqual([]))

  test('has no comments that postpone work', () => expect(commentViolations(sources)).toEqual([]))

  test('has correct architecture pages', () => {
    const pages = architecturePages.map((path) => [path, readTextIfThere(path)])
    expect(architecturePageViolations(Object.fromEntries(pages), paths)).toEqual([])
  })

  test('has no decision that names a deleted file', () => {
    const pages = paths.filter((path) => path.startsWith('docs/decisions/'))
    const texts = Object.fromEntries(pages.map((path) => [path, readText(path)]))
    expect(decisionPathViolations(texts, paths)).toEqual([])
  })

  test('explains each dependency of its packages', () => {
    const pages = paths.filter((path) => path.startsWith('docs/decisions/')).map(readText)
    expect(decisionViolations(manifests, pages)).toEqual([])
  })

  test('documents the versions that its packages require', () => {
    const core = manifests.find(({ name }) => name === 'waymark')
    const pages = paths.filter(
      (path) =>
        /^(README|docs\/[\w-]+|packages\/[^/]+\/README)\.md$/.test(path) ||
        /^site\/app\/guide\/.*\.mdx$/.test(path),
    )
    const texts = Object.fromEntries(pages.map((path) => [path, readText(path)]))
    expect(versionClaimViolations(texts, core)).toEqual([])
  })

  test('depends on no package with an install script', () => {
    const { packages } = JSON.parse(readText('package-lock.json'))
    expect(installScriptViolations(packages)).toEqual([])
  })
})
