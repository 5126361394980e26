/**
 * Posts a beacon. The request continues when the page is closed. The body is a string, because Chrome
 * reads a blob from the page's process, which may have ended before the blob is sent.
 * @returns false if the beacon may be sent again; true also if the server refused it
 */
export async function postBeacon(target: string, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await fetch(target, { method: 'POST', headers, body, keepalive: true })
    return response.status < 500 && response.status !== 429
  } catch {
    return false
  }
}
