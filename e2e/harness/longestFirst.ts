import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Each of these files takes 60 to 180 s on two cores. If such a file started last, it would run
// alone at the end.
const longest = [
  'drill',
  'hosts',
  'create',
  'backgroundSync',
  'packaging',
  'adversary',
  'translated',
  'faults',
  'nextPackages',
  'liveFleet',
  'shop',
  'authorErrors',
  'outboxOutcomes',
  'replay',
  'wrongInput',
  'outboxLedger',
  'registryPackages',
  'forms',
  'cli',
  'missingCode',
  'errors',
]

/** Runs the slowest test files first. */
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
