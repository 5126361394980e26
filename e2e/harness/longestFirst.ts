import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Measured on two cores, 65 to 200 s each. Begun last, one of them would run alone at the end.
const longest = [
  'adversary',
  'injected',
  'faults',
  'notices',
  'brokenStreams',
  'missingCode',
  'soon',
  'guards',
  'themeFirstFrame',
  'claims',
  'core',
  'wrongInput',
  'actionsBrowser',
]

/** Begins the files that take longest before the others. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.indexOf(basename(moduleId, '.test.ts'))
      return rank === -1 ? longest.length : rank
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
