// React marks what the browser rendered with `+`, what the server sent with `-`.
const diffLine = /^[+-]\s{2,}/
const frameworkElement =
  /^\s*<(?:Decider|Segment|Slot|CatchErrors|SignalBoundary|RemoveDuplicate\w+|Activity)\b/
const linesAround = 5

/** The difference and the elements around it: React writes the whole page. */
export function mismatch(message: string): string {
  const lines = message.split('\n').filter((line) => !frameworkElement.test(line))
  const first = lines.findIndex((line) => diffLine.test(line))
  const last = lines.findLastIndex((line) => diffLine.test(line))
  const tree = lines.findIndex((line) => /^\s{2,}\.\.\.|^\s+</.test(line))
  const difference = lines.slice(Math.max(tree, first - linesAround), last + linesAround)
  return `Hydration: the browser rendered something different from the server.\n\n${difference.join('\n')}\n\nRender the same in both: what only the browser knows (window, time zone, random numbers) belongs into an effect.`
}
