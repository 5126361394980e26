/** Moves a server's clock ahead by `SHIFT_MS` milliseconds. The server loads this file first. */
const shiftMs = Number(process.env.SHIFT_MS)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + shiftMs] : args))
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}
