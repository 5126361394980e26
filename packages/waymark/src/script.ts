export { consent, useConsent } from './script/consent.ts'
export { Script, type ScriptProps } from './script/ScriptElement.tsx'
