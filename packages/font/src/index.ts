export {
  type FallbackFont,
  type Font,
  type FontFile,
  type FontOptions,
  font,
} from './createFont.ts'
