import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FILE = fileURLToPath(new URL('sdk-methods.ts', import.meta.url));

/** The types that sdk-methods.ts exports, read by the TypeScript compiler. */
export interface SdkTypes {
  checker: ts.TypeChecker;
  /** The type of a member, such as `Answers['GET /v1/customers']`. */
  member: (exported: 'Answers' | 'Requests' | 'EventObjects', name: string) => ts.Type | undefined;
}

/** Reads the SDK's declarations, which takes a few seconds. */
export function readSdkTypes(): SdkTypes {
  const program = ts.createProgram([FILE], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(FILE);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${FILE} cannot be read`);
  const exports = checker.getExportsOfModule(module);
  return {
    checker,
    member: (exported, name) => {
      const symbol = exports.find((candidate) => candidate.name === exported);
      const property = symbol && checker.getDeclaredTypeOfSymbol(symbol).getProperty(name);
      return property && checker.getTypeOfSymbol(property);
    },
  };
}

/** The alternatives of a type; a single type is its only one. */
export function alternatives(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** Whether a property may be left out. */
export function isOptional(property: ts.Symbol): boolean {
  return (property.flags & ts.SymbolFlags.Optional) !== 0;
}
