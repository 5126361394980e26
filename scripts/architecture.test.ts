import { describe, expect, test } from 'vitest'
import { callbackViolations } from './architecture/callbackRules.ts'
import {
  commentViolations,
  foreignNameViolations,
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

// Each rule is tested on samples that break it, beside its source; here they meet the repository.
const paths = repositoryPaths()
const sources = readSources(paths)
const manifests = paths
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .map((path) => JSON.parse(readText(path)))

describe('the repository', () => {
  test('imports along its layers', () => expect(layerViolations(sources)).toEqual([]))

  test('imports along the layers inside its folders', () =>
    expect(innerLayerViolations(sources)).toEqual([]))

  test('has few folders that import each other', () => expect(mutualFolderViolations()).toEqual([]))

  test("crosses from rsc to client in files with 'use client' only", () =>
    expect(clientBorderViolations(sources)).toEqual([]))

  test('has no files that import each other in a circle', () =>
    expect(cycleViolations(sources)).toEqual([]))

  test('has public entries that only re-export, and that nobody inside imports', () =>
    expect(entryViolations(sources)).toEqual([]))

  test('uses its packages through their public entries', () => {
    const waymark = manifests.find(({ name }) => name === 'waymark')
    const specifiers = Object.keys(waymark.exports)
      .filter((entry) => !entry.startsWith('./internal'))
      .map((entry) => entry.replace('.', 'waymark'))
    expect(publicApiViolations(sources, specifiers)).toEqual([])
  })

  test('depends on the internals of React and Vite in two folders, and lists why', () => {
    expect(gripViolations(sources)).toEqual([])
    const table = readText('packages/waymark/src/react/README.md')
    expect(gripTableViolations(sources, table)).toEqual([])
  })

  test('has packages beside its core that keep to their rows', () => {
    expect(packageRowViolations(sources)).toEqual([])
    expect(packageImportViolations(sources)).toEqual([])
  })

  test('has public entries that its list names', () =>
    expect(publicEntryViolations(sources)).toEqual([]))

  test('has one version of all packages', () => expect(versionViolations(manifests)).toEqual([]))

  test('has each base name once in a package', () =>
    expect(baseNameViolations(sources)).toEqual([]))

  test('exports each name of its core once', () =>
    expect(exportedNameViolations(sources)).toEqual([]))

  test("exports the field's words", () => expect(retiredWordViolations(sources)).toEqual([]))

  test('names no other framework in its core', () =>
    expect(foreignNameViolations(sources)).toEqual([]))

  test('names its packages in one table of its core', () =>
    expect(packageNameViolations(sources)).toEqual([]))

  test('gives React and Node no callback that may throw', () =>
    expect(callbackViolations(sources)).toEqual([]))

  test('waits for nothing without an end within a request', () =>
    expect(waitViolations(sources)).toEqual([]))

  test('reads nothing out of a document that content could forge', () =>
    expect(documentViolations(sources)).toEqual([]))

  test('reads the host of a request where it is listed what that may change', () =>
    expect(hostViolations(sources)).toEqual([]))

  test("recognises nothing by another program's sentence but where it is listed", () =>
    expect(messageViolations(sources)).toEqual([]))

  test('mocks none of its files in tests', () => expect(mockViolations(sources)).toEqual([]))

  test('puts no work off in comments', () => expect(commentViolations(sources)).toEqual([]))

  test('has architecture pages that are true', () => {
    const pages = architecturePages.map((path) => [path, readTextIfThere(path)])
    expect(architecturePageViolations(Object.fromEntries(pages), paths)).toEqual([])
  })

  test('has decisions that name no file that is gone', () => {
    const pages = paths.filter((path) => path.startsWith('docs/decisions/'))
    const texts = Object.fromEntries(pages.map((path) => [path, readText(path)]))
    expect(decisionPathViolations(texts, paths)).toEqual([])
  })

  test('gives a reason for every dependency of its packages', () => {
    const pages = paths.filter((path) => path.startsWith('docs/decisions/')).map(readText)
    expect(decisionViolations(manifests, pages)).toEqual([])
  })

  test('asks for the versions that its packages ask for', () => {
    const core = manifests.find(({ name }) => name === 'waymark')
    const pages = paths.filter(
      (path) =>
        /^(README|docs\/[\w-]+|packages\/[^/]+\/README)\.md$/.test(path) ||
        /^site\/app\/guide\/.*\.mdx$/.test(path),
    )
    const texts = Object.fromEntries(pages.map((path) => [path, readText(path)]))
    expect(versionClaimViolations(texts, core)).toEqual([])
  })

  test('installs no package that runs a script', () => {
    const { packages } = JSON.parse(readText('package-lock.json'))
    expect(installScriptViolations(packages)).toEqual([])
  })
})
