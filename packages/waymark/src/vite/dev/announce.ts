const longMs = 1_000

/**
 * Prints what is done, when it takes longer than a second: a person waits for it.
 * @param text is called then
 */
export async function announceLong<T>(
  work: Promise<T> | T,
  text: () => string,
  print: (line: string) => void = console.info,
): Promise<T> {
  const timer = setTimeout(() => print(text()), longMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
