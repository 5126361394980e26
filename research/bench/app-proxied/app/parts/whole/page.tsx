export { WholePage as default } from '../../../../pages/parts.tsx'
