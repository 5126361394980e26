import type { Page } from 'playwright-core'
import { type Color, pngPixel } from './pngPixel.ts'

/**
 * Records the colour of the page's lower right corner, frame by frame, while a function runs.
 * @param act must end only after the last relevant frame was requested
 * @returns the colours in order, without repetitions
 */
export async function paintedColors(page: Page, act: () => Promise<unknown>): Promise<Color[]> {
  const session = await page.context().newCDPSession(page)
  const frames: Buffer[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(Buffer.from(data, 'base64'))
    // The session may have ended with the page.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  try {
    await act()
    // Take a screenshot, which waits for a new frame with all earlier changes.
    frames.push(await page.screenshot())
  } finally {
    await session.detach()
  }
  const colors = frames.map((frame) => pngPixel(frame, { x: -2, y: -2 }))
  return colors.filter((color, index) => color !== colors[index - 1])
}
