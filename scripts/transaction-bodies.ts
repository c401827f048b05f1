/** Finds the functions that run in a transaction, for the measures of code-shape.ts. */
import ts from 'typescript';

export type FunctionNode =
  ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

/** True for the function that `db.run` gets. */
export function isTransactionBody({ parent }: FunctionNode): boolean {
  return ts.isCallExpression(parent) && /\bdb\.run$/i.test(parent.expression.getText());
}

/** Whether a function assigns a variable that it does not declare. A transaction that runs again would keep it. */
export function assignsOutside(body: FunctionNode): boolean {
  const declared = new Set<string>();
  const assigned = new Set<string>();
  const visit = (node: ts.Node) => {
    if ((ts.isVariableDeclaration(node) || ts.isBindingElement(node)) && ts.isIdentifier(node.name)) {
      declared.add(node.name.text);
    }
    const target = targetOf(node);
    if (target !== undefined && ts.isIdentifier(target)) assigned.add(target.text);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return !assigned.isSubsetOf(declared);
}

/** The left side of an assignment such as `a = 1` or `a += 1`, or the operand of `a++`. */
function targetOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isPostfixUnaryExpression(node)) return node.operand;
  if (!ts.isBinaryExpression(node)) return undefined;
  const { kind } = node.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return isAssignment ? node.left : undefined;
}
