/** Loaded into servers whose clock should be `SHIFT_MS` milliseconds ahead. */
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
