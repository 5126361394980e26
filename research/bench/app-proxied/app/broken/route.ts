/** Always fails, for the measurement with many errors. */
export function GET() {
  throw new Error('broken on purpose')
}
