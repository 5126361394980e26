import { equal, type Frame, openFrame, until } from './frame.ts'

/**
 * Checks that typed text, selected options, opened `<details>` and playing media survive a refresh,
 * an action and a step back.
 */
export async function touchedCase(): Promise<void> {
  const frame = openFrame('/touched')
  await frame.find('p', 'The end')
  const controls = touch(frame, {
    '[name=typed]': { value: 'ash' },
    textarea: { value: 'fir' },
    select: { value: 'b' },
    '[name=checked]': { checked: true },
  })
  const others = touch(frame, {
    details: { open: true },
    '#scrolled': { scrollTop: 50 },
    audio: {},
  })
  const before = stateOf([...controls, ...others])
  const audio = others.find((element) => element instanceof frame.window.HTMLAudioElement)
  const plays = await begins(audio as HTMLAudioElement)

  const button = await frame.hydrated('article button')
  await until('what was there before React', () => stateOf([...controls, ...others]) === before)
  // Write this text only after hydration, because React would treat it as a mismatch.
  const written = touch(frame, { '[contenteditable]': { textContent: 'written over' } })
  others.push(...written)
  const isWritten = stateOf(others)

  button.click()
  await frame.find('button', 'refreshed 1')
  equal('after a refresh', stateOf([...controls, ...others]), stateOf(controls) + isWritten)
  equal('the controls', before.startsWith(stateOf(controls)), true)

  const renderings = await frame.find('#renderings')
  const refreshed = renderings.textContent
  ;(await frame.find('[type=submit]')).click()
  await until('the response of the action', () => renderings.textContent !== refreshed)
  // Compare only other elements, because React resets the controls of a form after its action, as
  // browsers do after a submission.
  equal('after an action', stateOf(others), isWritten)
  if (plays) await until('the sound', () => isPlaying(audio as HTMLAudioElement))

  const reset = stateOf(controls)
  ;(await frame.find('a', 'Other')).click()
  await frame.find('h1', 'Other')
  frame.window.history.back()
  await until('the page', () => frame.window.location.pathname === '/touched')
  // Wait for a frame, in which the state is restored.
  await until('all of it', () => stateOf([...controls, ...others]) === reset + isWritten)
  frame.expectQuietConsole()
}

/** Sets properties of elements, which are listed by selector. Returns the elements. */
function touch(frame: Frame, values: Readonly<Record<string, object>>): HTMLElement[] {
  return Object.entries(values).map(([selector, properties]) => {
    const element = frame.document().querySelector<HTMLElement>(selector)
    return Object.assign(element as HTMLElement, properties)
  })
}

/**
 * Describes the visible state of each element, and whether the element is still in the document.
 */
function stateOf(elements: readonly HTMLElement[]): string {
  const states = elements.map((element) => {
    const { value, checked, open, scrollTop, textContent } = element as HTMLInputElement & {
      open?: boolean
    }
    const text = value === undefined && textContent
    return JSON.stringify([element.isConnected, value, checked, open, scrollTop, text])
  })
  return states.join('')
}

/**
 * Starts an audio element.
 * @returns false if the machine lacks the codecs to play it
 */
function begins(audio: HTMLAudioElement): Promise<boolean> {
  return audio.play().then(
    () => true,
    () => false,
  )
}

function isPlaying({ currentTime, paused }: HTMLAudioElement): boolean {
  return currentTime > 0 && !paused
}
