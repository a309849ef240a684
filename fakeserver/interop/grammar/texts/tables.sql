SELECT o.Id, v.x FROM Orders o CROSS APPLY (VALUES (o.Id * 10), (o.Id)) v(x) WHERE o.Id = 2
GO
SELECT x.k FROM Orders o CROSS APPLY (SELECT o.Id AS k UNION ALL SELECT -o.Id) x WHERE o.Id < 3 ORDER BY k
GO
-- antlr: has no joins in parentheses
SELECT COUNT(*) FROM (Orders o JOIN Customers c ON c.Id = o.CustomerId) JOIN Customers d ON d.Id = c.Id
GO
SELECT COUNT(*) FROM Customers d LEFT JOIN (Orders o JOIN Customers c ON c.Id = o.CustomerId) ON d.Id = c.Id
GO
SELECT a.Id, b.Id FROM Orders a LEFT JOIN Orders b ON b.Id = a.Id + 1 LEFT JOIN Orders c ON c.Id = b.Id + 1 WHERE c.Id IS NULL
GO
SELECT t.k FROM dbo.numbers(2) AS t(k)
GO
SELECT dbo.Orders.Id FROM dbo.Orders WHERE dbo.Orders.Id = 1
GO
SELECT Name FROM Customers c WHERE EXISTS (SELECT * FROM Customers d WHERE d.Id = c.Id + 10)
GO
SELECT (SELECT COUNT(*) FROM Orders o WHERE o.CustomerId = c.Id AND o.Id > (SELECT MIN(Id) FROM Orders)) FROM Customers c
GO
SELECT Id FROM Orders o WHERE Price = (SELECT MAX(p.Price) FROM Orders p WHERE p.CustomerId = o.CustomerId)
GO
SELECT TOP 1 Id FROM Orders WHERE CustomerId IN (SELECT c.Id FROM Customers c WHERE c.Id = Orders.CustomerId) ORDER BY Id DESC
GO
DECLARE @n int = 2; SELECT TOP (@n) Id FROM Orders ORDER BY Id; SELECT TOP (0) Id FROM Orders
GO
WITH a AS (SELECT 1 x UNION ALL SELECT 2), b AS (SELECT p.x, q.x y FROM a p, a q) SELECT SUM(x * y) FROM b
GO
SELECT AVG(Id), AVG(CAST(Id AS float)), SUM(CAST(Id AS float)), AVG(CAST(Id AS money)), SUM(CAST(Id AS bigint)) FROM Orders
GO
SELECT MIN(Name), MAX(Day), MIN(CAST(Name AS varbinary(2))) FROM Orders
GO
SELECT CASE WHEN Id > 2 THEN 'b' ELSE 'a' END k, COUNT(*) FROM Orders GROUP BY CASE WHEN Id > 2 THEN 'b' ELSE 'a' END ORDER BY k
GO
SELECT UPPER(Name) FROM Orders GROUP BY UPPER(Name) ORDER BY UPPER(Name) DESC
GO
SELECT o.CustomerId FROM Orders o GROUP BY CustomerId ORDER BY COUNT(*) DESC, MAX(o.Id) DESC
GO
SELECT Day, RANK() OVER (ORDER BY COUNT(*) DESC), DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) FROM Orders GROUP BY Day ORDER BY Day
GO
SELECT 1 FROM Orders HAVING COUNT(*) > 3
GO
SELECT COUNT(*) FROM Empty HAVING COUNT(*) > 0
GO
SELECT (SELECT c.Name FROM Customers c WHERE c.Id = o.CustomerId), COUNT(*) FROM Orders o GROUP BY o.CustomerId ORDER BY o.CustomerId
GO
SELECT STRING_AGG(CAST(Id AS varchar(5)), '-') FROM Orders WHERE Id > 1
