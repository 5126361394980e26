export { RowsPage as default } from '../../../pages/rows.tsx'
