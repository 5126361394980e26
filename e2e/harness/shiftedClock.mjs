/** Preloaded by servers that start `SHIFT_MS` milliseconds later than they do. */
const shiftMs = Number(process.env.SHIFT_MS)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given))
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}
