import { compareTree, moveWord, type Outcome } from './compareTree.ts'
import { equal } from './frame.ts'

/** How documents of random trees of the app `rendering` are read; `trees` of them. */
export const treeCases = {
  async 'what is read out of HTML is as in page data'(trees: number) {
    const outcomes: Outcome[] = []
    for (let from = 0; from < trees; from += 100) {
      const seeds = Array.from({ length: Math.min(100, trees - from) }, (_, index) => from + index)
      outcomes.push(...(await Promise.all(seeds.map(compareTree))))
    }
    const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
    const others = outcomes.filter((each) => typeof each === 'object')
    equal('differing trees', others.slice(0, 3), [])
    equal('read: more than half', count('read') > trees / 2, true)
    // Those that an HTML parser changes: a list in a paragraph, a link in a link.
    equal('unsure: less than a fifth', count('unsure') < trees / 5, true)
  },

  async 'half of a text in the place of the other half is noticed'() {
    equal('not read', await moveWord('/tree?seed=1'), [false, true])
  },
}
