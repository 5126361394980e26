/**
 * Keeps what React throws while it decodes a file from being a rejected promise that nobody awaits:
 * a stream of the body may refuse a piece which had to wait for a file's bytes. What waits for the
 * piece then waits on.
 * @returns what puts the files back as they were
 */
export function muteFiles(body: string | FormData): () => void {
  if (typeof body === 'string') return () => {}
  const files: Blob[] = []
  for (const [, value] of body) if (typeof value !== 'string') files.push(value)
  for (const file of files) {
    const read = file.arrayBuffer
    file.arrayBuffer = () => muted(read.call(file))
  }
  return () => {
    for (const file of files) Reflect.deleteProperty(file, 'arrayBuffer')
  }
}

function muted<T>(promise: Promise<T>): Promise<T> {
  const follow: typeof promise.then = promise.then.bind(promise)
  const then: typeof promise.then = (onValue, onError) => {
    const followed = follow(onValue, onError)
    followed.catch(() => {})
    return followed
  }
  return Object.assign(promise, { then })
}
