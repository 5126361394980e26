import type { ActionTexts } from '../../screens/texts.ts'
import type { UnsentCalls } from './unsent.ts'

/** What becomes of an answer that breaks off after its result was given out. */
export type Tail = {
  /** Tells whether it is to be asked for again: at first unasked, then as the person chooses. */
  goesOn(): Promise<boolean>
  /** Tells the person that what came is not what was sent, and may stand in the page. */
  tellOfCut(): void
}

/**
 * Follows the end of one answer: the server has it whole.
 * @param parts `pauseMs` before it is asked for again unasked
 */
export function followTail(parts: {
  readonly unsent: UnsentCalls
  readonly texts: ActionTexts
  readonly pauseMs: number
}): Tail {
  const { unsent, texts, pauseMs } = parts
  let breaks = 0
  let isGivenUp = false
  return {
    async goesOn() {
      if (breaks++ === 0) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        return true
      }
      isGivenUp = (await unsent.ask('broken').choice) === 'dismiss'
      return !isGivenUp
    },
    tellOfCut() {
      if (!isGivenUp) unsent.tell(texts.answerGone)
    },
  }
}
