import type { ActionTexts } from '../../screens/texts.ts'
import type { FailureNotice } from './unsent.ts'

/** What becomes of an answer that breaks off after its result was given out. */
export type ResumableStream = {
  /** Tells whether it is to be asked for again: at first unasked, then as the person chooses. */
  goesOn(): Promise<boolean>
  /** Tells the person that what came is not what was sent, and may stand in the page. */
  tellOfCut(): void
}

/**
 * Follows the end of one answer: the server has it whole.
 * @param parts `pauseMs` before it is asked for again unasked
 */
export function readResumable(parts: {
  readonly unsent: FailureNotice
  readonly texts: ActionTexts
  readonly pauseMs: number
}): ResumableStream {
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
