/**
 * Goes on when the page is closed. The body is a text: of a blob, Chrome asks the page's process, which may
 * have ended by then, and the beacon would be lost.
 * @returns false where it may be sent again; a beacon that the server refuses is not
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
