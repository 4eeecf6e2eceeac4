package com.nordlager.warestock.stock;

import java.math.BigDecimal;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "article")
public class Article {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Integer id;

    @Column(nullable = false, unique = true, length = 40)
    private String sku;

    @Column(name = "sku_key", nullable = false, length = 40)
    private String skuKey;

    @Column(nullable = false)
    private String title;

    @Column(name = "weight_g", precision = 12, scale = 3)
    private BigDecimal weight;

    public Integer getId() {
        return id;
    }

    public String getSku() {
        return sku;
    }

    public String getTitle() {
        return title;
    }

    public BigDecimal getWeight() {
        return weight;
    }
}
