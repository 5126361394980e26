// React marks the browser's lines with `+`, and the server's lines with `-`.
const diffLine = /^[+-]\s{2,}/
const frameworkElement =
  /^\s*<(?:Decider|Segment|Slot|CatchErrors|SignalBoundary|RemoveDuplicate\w+|Activity)\b/
const linesAround = 5

/**
 * Returns the difference and a few elements around it. React's own message contains the whole page.
 */
export function mismatch(message: string): string {
  const lines = message.split('\n').filter((line) => !frameworkElement.test(line))
  const first = lines.findIndex((line) => diffLine.test(line))
  const last = lines.findLastIndex((line) => diffLine.test(line))
  const tree = lines.findIndex((line) => /^\s{2,}\.\.\.|^\s+</.test(line))
  const difference = lines.slice(Math.max(tree, first - linesAround), last + linesAround)
  return `Hydration: the browser rendered something different from the server.\n\n${difference.join('\n')}\n\nRender the same content in both places. Move values that only the browser knows (window, time zone, random numbers) into an effect.`
}
