import { isUtf8 } from 'node:buffer'
import { maxTargetLength } from '../wire/protocol.ts'

/** An error of Node's HTTP parser. `bytesParsed` is the position of the invalid byte in `rawPacket`. */
export type ParseError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

// Matches a request line whose target is a path with a query, without control characters, spaces or `#`. A target
// that begins with two slashes, or a slash and a backslash, would lead to another site.
const requestLine = /^(?:GET|HEAD) (\/(?![/\\])[\x21\x22\x24-\x7e\x80-\xff]*|\/) HTTP\/1\.[01]\r\n/

/**
 * Percent-encodes the target of a request that Node's parser refused, because the target contains bytes outside of
 * ASCII. Some clients, such as curl, send a query as it was typed.
 * @returns the location of a redirect, or `null` if the bytes aren't well-formed UTF-8 or have a different problem
 * @see RFC 9112 §3.2: redirect to the encoded target, and don't process the request without a redirect
 */
export function encodeUnencodedTarget({ code, rawPacket, bytesParsed }: ParseError): string | null {
  if (code !== 'HPE_INVALID_URL' || !rawPacket || bytesParsed === undefined) return null
  const [line, target] =
    requestLine.exec(rawPacket.toString('latin1', 0, 2 * maxTargetLength)) ?? []
  // If the invalid byte is after the first line, the packet starts within an earlier request.
  if (!line || !target || bytesParsed > line.length) return null
  const bytes = Buffer.from(target, 'latin1')
  // The second test finds the control characters from U+0080 to U+009F.
  if (!isUtf8(bytes) || /\xc2[\x80-\x9f]/.test(target)) return null
  const location = target.replace(/[\x80-\xff]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
  })
  // An ASCII target has a different problem.
  return location !== target && location.length <= maxTargetLength ? location : null
}
