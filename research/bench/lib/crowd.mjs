/** Simulates many open pages without browsers: connections that wait, and requests that follow. */
import { request } from 'node:http'

/**
 * Opens connections, a hundred at a time. `onChanged` of one is called for each message that matches.
 * @param count how many
 * @param asked `url`, `method`, `headers` and `body` of the request that waits
 * @param isChange tells whether a chunk says that something was changed
 */
export async function openCrowd(count, { url, method = 'GET', headers = {}, body = '' }, isChange) {
  const crowd = []
  const open = () =>
    new Promise((resolve, reject) => {
      const connection = { onChanged() {}, close: () => sent.destroy() }
      const sent = request(url, { method, headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`))
        let isFirst = true
        response.on('error', () => {})
        response.on('data', (chunk) => {
          if (isFirst) resolve(connection)
          else if (isChange(chunk)) connection.onChanged()
          isFirst = false
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  while (crowd.length < count) {
    const next = Array.from({ length: Math.min(100, count - crowd.length) }, open)
    crowd.push(...(await Promise.all(next)))
  }
  return crowd
}

/**
 * Sends a request.
 * @returns the text of the response
 */
export function exchange(url, { method = 'GET', headers = {}, agent } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/**
 * Makes a change, and waits until all of a crowd were told, and have what they ask for then.
 * @param change makes it
 * @param fetchPage what each asks for; without it they are only told
 * @returns ages of the change, in ms, sorted
 */
export async function ageOfChange(crowd, change, fetchPage = async () => {}) {
  const startedAt = performance.now()
  const ages = []
  const all = crowd.map(
    (connection) =>
      new Promise((resolve) => {
        connection.onChanged = async () => {
          connection.onChanged = () => {}
          await fetchPage()
          ages.push(performance.now() - startedAt)
          resolve()
        }
      }),
  )
  await change()
  await Promise.all(all)
  return ages.sort((a, b) => a - b)
}

/** @param share 0.5 for the median */
export function percentile(sorted, share) {
  return sorted[Math.ceil(sorted.length * share) - 1]
}
