/** Fails each time: for the flood of errors. */
export function GET() {
  throw new Error('broken on purpose')
}
