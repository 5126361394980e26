export { type Font, type FontOptions, font } from './font/createFont.ts'
