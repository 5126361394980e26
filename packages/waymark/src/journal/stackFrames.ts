/** One line of a stack. */
export type StackFrame = {
  /** The line as the engine wrote it, without its indentation. */
  readonly text: string
  readonly functionName: string | null
  /** Path or URL; `null` where the engine names none, as in `Promise.all (index 0)`. */
  readonly file: string | null
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** Bounds of what is stored of a stack. */
export const stackLimits = { lines: 50, lineLength: 500 }

const inV8 = /^at (?:(.+?) \()?(.+?):(\d+):(\d+)\)?$/
const inOthers = /^([^@]*)@(.+?):(\d+):(\d+)$/

/**
 * Finds the frames in what an engine writes into `stack`: V8 puts name and message before them,
 * the others nothing.
 * @param stack of any length
 */
export function frameLines(stack: string): string[] {
  // The message stands at the beginning, and may be longer than all that is stored.
  const end = stack.slice(-stackLimits.lines * stackLimits.lineLength)
  const lines = end.split('\n').map((line) => line.slice(0, stackLimits.lineLength).trim())
  return lines
    .filter((line) => inOthers.test(line) || /^at \S/.test(line))
    .slice(0, stackLimits.lines)
}

/** Reads one frame, in the form of any engine. */
export function parseFrame(text: string): StackFrame {
  const found = inV8.exec(text) ?? inOthers.exec(text)
  if (!found) return { text, functionName: null, file: null, line: 0, column: 0 }
  const [, functionName, file = null, line, column] = found
  return {
    text,
    functionName: functionName || null,
    file,
    line: Number(line),
    column: Number(column),
  }
}
