/** The usual spreads: one table for who builds, names, recognises and explains them. */

export { nameOfSpread, type SpreadName, type SpreadPart, sideOfSpread } from './recognise.ts';
export {
  type LegSide,
  type ShapeKind,
  type ShapeLeg,
  SPREAD_KINDS,
  type SpreadKind,
  type SpreadShape,
  shapeOf,
  takesRight,
} from './shapes.ts';
